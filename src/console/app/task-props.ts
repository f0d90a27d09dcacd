/** What every pane of a task is given. What it shows is that of the entry in `selection.ts`. */
export interface TaskProps {
  session: string;
  task: string;
}
