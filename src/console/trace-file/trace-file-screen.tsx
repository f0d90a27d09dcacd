/** A trace that was dropped on the page. */
export const TraceFileScreen = () => null;
