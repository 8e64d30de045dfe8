// Two long texts beside each other: where one is scrolled to, the other goes too.

import * as result from "./result.js";
import { current } from "./translate.js";

const q = document.getElementById("q");
let moved = { element: null, top: 0 }; // what was scrolled from here: it must not lead in its turn

function follow(leader, follower) {
  if (moved.element === leader && Math.abs(moved.top - leader.scrollTop) < 2) return;
  const way = leader.scrollHeight - leader.clientHeight;
  const own = follower.scrollHeight - follower.clientHeight;
  if (!current() || way <= 0 || own <= 0) return;
  const place = Math.round((own * leader.scrollTop) / way);
  moved = { element: follower, top: place };
  follower.scrollTop = place;
}

/** Begin. */
export function begin() {
  q.addEventListener("scroll", () => follow(q, result.box), { passive: true });
  result.box.addEventListener("scroll", () => follow(result.box, q), { passive: true });
}
