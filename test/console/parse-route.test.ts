import { describe, expect, it } from 'vitest';
import {
  compareHref,
  HOME,
  parseRoute,
  SYSTEM,
  sessionHref,
  TRACE,
  taskHref,
} from '../../src/console/app/parse-route.ts';

const routeOf = (href: string) => parseRoute(new URL(href, 'http://localhost').pathname);

describe('an address of the console', () => {
  it.each([
    [HOME, { page: 'home' }],
    ['/console', { page: 'home' }],
    [sessionHref('a_b-1'), { page: 'session', session: 'a_b-1', task: null }],
    [taskHref('s1', 'task_1'), { page: 'session', session: 's1', task: 'task_1' }],
    [taskHref('s1', 'task_1', { seq: 7, tab: 'timeline' }), { page: 'session', session: 's1', task: 'task_1' }],
    [compareHref('s1/task_1', 's2/task_2'), { page: 'compare' }],
    [TRACE, { page: 'trace' }],
    [SYSTEM, { page: 'system' }],
    ['/console/sessions', { page: 'unknown' }],
    ['/console/sessions/s1/turns/t1', { page: 'unknown' }],
    ['/console/sessions/s1/tasks/t1/x', { page: 'unknown' }],
    ['/console/system/x', { page: 'unknown' }],
    ['/console/%E0%A4%A', { page: 'unknown' }],
  ])('%s is read as it was written', (href, route) => {
    expect(routeOf(href)).toEqual(route);
  });

  it('names the entry and the tab in its query', () => {
    expect(taskHref('s 1', 't/1', { seq: 0, tab: 'plan' })).toBe('/console/sessions/s%201/tasks/t%2F1?seq=0&tab=plan');
    expect(taskHref('s1', 't1', { seq: null })).toBe('/console/sessions/s1/tasks/t1');
  });
});
