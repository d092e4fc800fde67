// The cards of what the agent waits for, loaded together.
export { Permission } from "./permission_card.js";
export { Question } from "./question.js";
