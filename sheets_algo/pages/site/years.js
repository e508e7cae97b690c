// The slider of the map: it shows the picture of one year. Without it the last year is there.
const years = [...document.querySelectorAll(".years figure")];
const slider = document.querySelector(".years input");
const show = () => {
  years.forEach((figure, place) => { figure.hidden = place !== Number(slider.value); });
  slider.setAttribute("aria-valuetext", years[slider.value].dataset.year);
};
const step = (by) => { slider.value = Number(slider.value) + by; show(); };
slider.oninput = show;
document.querySelector(".years .before").onclick = () => step(-1);
document.querySelector(".years .after").onclick = () => step(1);
document.querySelector(".years .bar").hidden = false;
show();
