// The cards of what the agent waits for, plans, or fails at, loaded together.
export { AskCard } from "./blocks/ask_card.js";
export { ErrorCard } from "./blocks/error_card.js";
export { ExitCard } from "./blocks/exit_card.js";
export { GapCard } from "./blocks/gap_card.js";
export { Plan } from "./plan.js";
export { Permission } from "./permission_card.js";
export { Question } from "./question.js";
