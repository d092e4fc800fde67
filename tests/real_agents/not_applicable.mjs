// Thrown by a scenario that makes no sense for an agent; says why.
export class NotApplicable extends Error {}
