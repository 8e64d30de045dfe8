// Two long texts beside each other: where one is scrolled to, the other goes too.

import * as result from "./result.js";
import { current } from "./translate.js";

const q = document.getElementById("q");
let moved = null; // what this page has scrolled itself, and that must not scroll back

function follow(leader, follower) {
  if (moved === leader) {
    moved = null;
    return;
  }
  const way = leader.scrollHeight - leader.clientHeight;
  const own = follower.scrollHeight - follower.clientHeight;
  if (!current() || way <= 0 || own <= 0) return;
  const place = Math.round((own * leader.scrollTop) / way);
  if (Math.abs(place - follower.scrollTop) < 1) return;
  moved = follower;
  follower.scrollTop = place;
}

/** Begin. */
export function begin() {
  q.addEventListener("scroll", () => follow(q, result.box), { passive: true });
  result.box.addEventListener("scroll", () => follow(result.box, q), { passive: true });
}
