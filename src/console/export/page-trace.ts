/** Begins the trace in a page, on a line of its own: an entry a line follows, and then a line that ends it. None of what users, models or tools said is like it. */
export const TRACE_BEGIN = '<script type="application/json" id="trace">[';

/** Ends the trace in a page. */
export const TRACE_END = ']</script>';
