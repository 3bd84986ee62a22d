// Growth on the page: a tab of tables and charts, and the command of a row that has grown.

import { addKind } from "../../../../../page/kinds.mjs";
import { growthOf, hasGrown } from "./view.mjs";

/** @typedef {import("../../../../../page/rows.mjs").Row} Row */
/** @typedef {import("../../../../../page/rows.mjs").RunData} RunData */

/** @param {Row} row @param {RunData} run */
function commandOf(row, run) {
  if (!run.settings.growth) return null;
  const [kind, size, ...shape] = row.dataset.split(":");
  return ["growth", "--contenders", row.contender_id, "--datasets", [kind, ...shape].join(":"), "--sizes", size];
}

addKind({ view: { id: "growth", title: "Growth", has: hasGrown, show: growthOf }, commandOf });
