// Divides whole numbers as the rules round: by largest remainder; of equal remainders the earlier one is rounded up.

export function splitEvenly(total, parts) {
  return Array.from({ length: parts }, (_, part) => Math.floor(total / parts) + (part < total % parts ? 1 : 0));
}

export function apportion(total, weights) {
  const full = weights.reduce((sum, weight) => sum + weight, 0);
  if (full <= 0) return weights.map(() => 0);
  const exact = weights.map(weight => total * weight / full), shares = exact.map(Math.floor);
  const order = shares.map((_, part) => part).sort((one, other) => shares[one] - exact[one] - (shares[other] - exact[other]));
  const left = total - shares.reduce((sum, share) => sum + share, 0);
  for (const part of order.slice(0, left)) shares[part] += 1;
  return shares;
}
