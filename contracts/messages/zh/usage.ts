import type { usage as english } from '../en/usage.ts';

const scheduleOptions = '[--duration 分钟=60] [--remind 时间] [--interval 分钟] [--times n|-1] [--remind-start 时间]';

export const usage = {
  todo: {
    add: '/todo add <内容> [--tag 标签]… [--priority n≥0] [--due 时间] [--remind 时间]',
    list: '/todo list [--tag 标签]… [--view all|today|overdue|upcoming|inbox]',
    search: '/todo search <关键词>',
    get: '/todo get <编号>',
    update: '/todo update <编号> [内容] [--tag 标签|none]… [--priority n] [--due 时间|none] [--remind 时间|none]',
    done: '/todo done <编号>…',
    delete: '/todo delete <编号>…',
  },
  view: { view: '/view <all|today|overdue|upcoming|inbox> [--tag 标签]…' },
  schedule: {
    add: `/schedule add <时间> <标题> ${scheduleOptions}`,
    list: '/schedule list',
    get: '/schedule get <编号>',
    view: '/schedule view <day|week|month> [日期]',
    update: `/schedule update <编号> [时间] [标题] ${scheduleOptions}`,
    repeat: '/schedule repeat <编号> <on|off>',
    delete: '/schedule delete <编号>…',
  },
  scheduleNotes: `<时间> 可以用数字或文字书写（"2026-12-01 09:30"、"tomorrow 3pm"、明天下午三点），也可以重复：每周一上午九点、"every Monday 9am"。
--remind 提醒一次；日程重复时，每次之前都提醒。写了 --remind 或 --remind-start 时，--interval 和 --times 让提醒重复：
每隔若干分钟，共 n 次（-1 或不写：没有尽头）。没有写时，它们让日程本身重复。
repeat off：只有日程及其提醒的第一次有效。时钟调整跳过的时刻随之顺延。`,
  files: {
    list: '/files list [文件夹] [--page n]',
    read: '/files read <路径> [--line n]',
    write: '/files write <路径> <内容>',
    append: '/files append <路径> <内容>',
    replace: '/files replace <路径> "<原文>" "<新文>"',
    delete: '/files delete <路径>',
  },
  filesNotes: `write 和 append 的内容是路径之后的全部文字，包括换行；整体外层的引号会去掉。追加的内容另起一行。
原文在文件中必须恰好出现一次。也可用 JSON：{"command": "replace", "path", "old", "new"}、{"command": "write", "path", "text"}。`,
  tool: '/tool <名称> <输入>',
  tools: '/tools [页码]',
  namedPlans: {
    create: '/plan create <计划ID> [--title 标题] --steps "步骤" "步骤" …',
    update: '/plan update <计划ID> [--title 标题] [--steps "步骤" "步骤" …]',
    list: '/plan list',
    get: '/plan get <计划ID>',
    activate: '/plan activate <计划ID>',
    mark: '/plan mark <计划ID> <编号> <not_started|in_progress|completed|blocked> [--notes 备注]',
    delete: '/plan delete <计划ID>',
  },
  planEdit: {
    add: '/plan add <步骤>',
    drop: '/plan drop <编号>（或 delete）',
    move: '/plan move <编号> <目标编号>',
    mark: '/plan mark <编号> <not_started|in_progress|completed|blocked|dropped>',
  },
} satisfies typeof english;
