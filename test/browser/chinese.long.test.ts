import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const ROUND_MS_MAX = 400_000;

/** An answer as models write Chinese: bold text beside quotation marks and colons, a wide table, a list, an address. */
const ANSWER = `# 三月团建方案对比（共 3 个场地）

三个场地里**“Loft 12”最合适**：有厨房。**注意：**请提前 14 天确认。

| 场地 | 费用（元） | 距地铁站 | 餐饮 | 备注 |
|---|---:|---|---|---|
| Loft 12 | 6,400 | 步行 8 分钟 | 自带厨房，可自助 | 可容纳 40 人 |
| Hotel Amano | 9,800 | 步行 3 分钟 | 含午餐与下午茶 | 需提前 14 天确认 |

1. 今天就付订金（2,000 元），邮件里注明“3 月 12 日，下午 1 点到 6 点”。
2. 取消条款见 https://venues.example/loft-12/booking?date=2027-03-12&guests=38&lang=zh-CN&currency=CNY 。
`;

/** A service whose user writes Chinese: a task that asks, one that waits for a yes, one that shows its plan, one that is done. */
const chineseService = async () => {
  const service = await startService([], { TRIPACT_APPROVE: 'schedule' });
  const options = [
    'Loft 12：6,400 元，有厨房，离车站步行 8 分钟',
    'Hotel Amano：9,800 元，含午餐（超出预算 1,800 元）',
  ];
  service.model.answer([plan('查询空闲的场地'), { ...ask('3 月 12 日有两个场地空闲，选哪个？'), options }]);
  await service.say('asks', '三月团建选哪个场地？预算 8,000 元以内，离地铁站近一点。');
  service.model.answer([
    plan('安排通话'),
    act('schedule', 'add "2030-01-01 09:00" 与场地负责人通话：确认投影仪、麦克风、白板'),
  ]);
  await service.say('approves', '安排和场地负责人的通话，并提醒我带上合同与订金收据');
  service.model.answer([plan('起草十二月的客户简报', '发给王敏审核，并按她的意见修改两轮，再发给 2,300 位读者')]);
  await service.say('plans', '写一份十二月的客户简报，先给我看计划', { confirm_plan: true });
  service.model.answer([
    plan('查询场地', '写成报告'),
    act('todo', 'add 联系 Loft 12 的负责人陈晓，电话 021-5555 0142'),
    done('三个场地都查到了。'),
    replanned('写成报告'),
    done('报告已写好。'),
    answer(ANSWER),
  ]);
  await service.say('report', '对比三个场地，写成一份带表格的报告');
  return service;
};

/** Elements that reach beyond the page, other than those in a part that scrolls or is cut. */
const wideElements = (page: Page): Promise<string[]> =>
  page.evaluate(`{
    const isHeld = (element) => {
      for (let at = element; at !== null; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== 'visible' || at.matches('.visually-hidden')) return true;
      return false;
    };
    [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !isHeld(element.parentElement))
      .map(({ outerHTML }) => outerHTML.slice(0, 200));
  }`);

describeInBrowser('a session in Chinese on a phone', (open) => {
  it(
    'has its bold text, fits its width, and is accessible in both themes',
    async () => {
      await keptBuild();
      const service = await chineseService();
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, faults } = await open(`${service.url}/console/sessions/report`, {
          language: 'zh',
          width: 390,
          colorScheme,
        });
        const log = page.getByRole('log');
        await log.locator('strong').getByText('“Loft 12”最合适', { exact: true }).waitFor();
        await log.locator('strong').getByText('注意：', { exact: true }).waitFor();
        const look = async (address: string, seen: string) => {
          await page.goto(service.url + address);
          await page.getByText(seen).filter({ visible: true }).first().waitFor();
          expect(await wideElements(page), address).toEqual([]);
          expect(await accessibilityFaults(page), address).toEqual([]);
        };
        await look('/console/sessions/report', '取消条款');
        await look('/console/sessions/report?tab=timeline', '写成报告');
        await look('/console/sessions/report?tab=timeline&call=4', '输出');
        await look('/console/sessions/report?tab=machine', '思考中');
        await look('/console/sessions/report?tab=plan', '已完成 2 / 2');
        await look('/console/sessions/report?dialog=fork', '沿用：');
        await look('/console/sessions/asks', 'Loft 12：6,400 元，有厨房，离车站步行 8 分钟');
        await look('/console/sessions/approves', '批准');
        await look('/console/sessions/plans', '按这个计划执行吗？');
        await look('/console/sessions', '待确认的计划');
        await look('/console/trace', '排序');
        await look('/console/system?tab=usage', '按天');
        const cell = `document.querySelector('[data-label="轮次"]')`;
        expect(await page.evaluate(`getComputedStyle(${cell}, '::before').content`)).toBe('"轮次："');
        await look('/console/', '要做什么？');
        expect(faults).toEqual([]);
      }
    },
    ROUND_MS_MAX,
  );
});
