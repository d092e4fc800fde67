// Cards that few conversations have: loaded when a conversation is shown, so that they are there when they are needed.
import { onDemand } from "../../parts/on_demand.js";

export const seldom = onDemand(() => import("./asks.js"));
