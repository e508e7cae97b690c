// The board alone in a file: its data stands in the page, and what is placed goes out as rows, link or picture.

import { readData } from "../shared/dom.js";
import { begin } from "./main.js";

readData().then(begin);
