// Two long texts beside each other: where one is scrolled to, the other goes too.

import { find } from "../strings.js";
import * as result from "./result.js";
import { current } from "./translate.js";

const q = find("q");
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

/**
 * Scroll one side so that a range on it can be seen, if it cannot; the other stays.
 *
 * `side` is source or target; a range of the source lies behind the field.
 */
export function reveal(side, range) {
  const box = side === "source" ? q : result.box;
  const frame = box.getBoundingClientRect();
  const place = range.getBoundingClientRect();
  if (place.top >= frame.top && place.bottom <= frame.bottom) return;
  const top = box.scrollTop + place.top - frame.top - frame.height / 3;
  const most = box.scrollHeight - box.clientHeight;
  moved = { element: box, top: Math.round(Math.min(Math.max(top, 0), most)) };
  box.scrollTop = moved.top;
}

/** Begin. */
export function begin() {
  q.addEventListener("scroll", () => follow(q, result.box), { passive: true });
  result.box.addEventListener("scroll", () => follow(result.box, q), { passive: true });
}
