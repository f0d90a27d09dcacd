/** The mark: a T of three parts that meet. */
export const Mark = () => (
  <svg width="24" height="24" viewBox="0 0 16 16" aria-hidden="true">
    <g stroke-width="1.2" stroke-linejoin="round">
      <path fill="currentColor" stroke="currentColor" d="M1.6 2.6h4.6L3 5.8H1.6zM14.4 2.6H9.8L13 5.8h1.4z" />
      <path fill="var(--accent)" stroke="var(--accent)" d="m8 4.7 1.7 1.7v8H6.3v-8z" />
    </g>
  </svg>
);
