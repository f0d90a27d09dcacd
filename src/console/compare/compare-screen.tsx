/** Two tasks side by side. */
export const CompareScreen = () => null;
