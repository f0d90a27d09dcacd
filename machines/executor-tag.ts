const TAG = /^\s*\[([A-Za-z][\w-]*)\]\s*/;

/** The tag that a step begins with and that names its executor, without its brackets; undefined where there is none (SPEC 5). */
export const executorTag = (step: string): string | undefined => TAG.exec(step)?.[1];

/** A text without the executor tag that it begins with: what is sent outside as a description or an expected output. Never empty. */
export const withoutExecutorTag = (text: string): string => text.replace(TAG, '') || text;
