import { locale } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { now } from './now.ts';
import { relativeTime } from './relative-time.ts';

/** How long ago something was, with the exact time on hover. `at` is as the API gives it. */
export const Time = ({ at }: { at: string }) => {
  const time = Date.parse(at);
  const exact = new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(time);
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(time, now.value, locale.value) ?? shared.value.now}
    </time>
  );
};
