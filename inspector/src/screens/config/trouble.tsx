// Why the entries cannot be shown, and the way on.
import { ProblemCard, type ProblemCardProps } from "../problem_card.js";

export const Trouble = (props: ProblemCardProps) => (
  <div class="config-trouble">
    <ProblemCard {...props} />
  </div>
);
