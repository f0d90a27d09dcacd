/** Props of every pane of a task. A pane shows the entry in `selection.ts`. */
export interface TaskProps {
  session: string;
  task: string;
}
