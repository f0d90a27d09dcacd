import type { Turn } from './tripact.ts';

/** The bot's own texts; all else is Tripact's, in the language of the task. */
const english = {
  continue: 'Continue',
  stop: 'Stop',
  answered: 'That has been answered already. If it has expired, “continue” asks it again.',
  over: 'That is over: nothing of it runs or waits any more.',
  cancelled: 'Cancelled.',
  queued: 'It begins when what runs now is over.',
  unreachable: 'Tripact cannot be reached at the moment. Your message is kept, and its answer comes by itself.',
  in_vain: 'Tripact cannot be reached at the moment, so this changed nothing. Please try again later.',
  interrupted: 'The connection to Tripact is lost. The task is not: its answer comes by itself.',
  refused: (detail: string): string => `Tripact refused this: ${detail}`,
  not_allowed: (user: string): string =>
    `You may not use this bot. Whoever runs it can let you by adding ${user} to BOT_ALLOWED_USERS.`,
  steered: 'Noted: the task that runs takes this into account.',
  unreadable: 'I can read text, pictures and documents.',
  not_taken: 'Not all of it I can take: pictures and documents, 20 MB each, ten at once.',
  not_loaded: (name: string): string =>
    `I could not get your file ${name} from this chat, so I did nothing. Please send it again.`,
  file_not_sent: (name: string): string => `This chat does not take the file ${name}. It is in Tripact.`,
  hello: [
    'Hello! Tell me in a sentence what you want done, and I plan it and work it out.',
    'I ask where I have to, and before I do anything that needs your yes.',
    'Try “remind me to call Anna tomorrow at 9”. /help shows the commands.',
  ].join('\n'),
  chose: (user: string, label: string): string => `→ ${label} (${user})`,
};

type Texts = typeof english;

const chinese: Texts = {
  continue: '继续',
  stop: '停止',
  answered: '这个问题已经有人回答过。如果是过期了，说“继续”会重新提问。',
  over: '这件事已经结束，没有正在运行或等待的内容。',
  cancelled: '已取消。',
  queued: '正在运行的任务结束后就开始。',
  unreachable: '暂时连不上 Tripact。您的消息已保存，稍后会自动回复。',
  in_vain: '暂时连不上 Tripact，这次点击没有生效，请稍后再试。',
  interrupted: '与 Tripact 的连接中断了，任务没有丢，稍后会自动回复。',
  refused: (detail) => `Tripact 拒绝了这个请求：${detail}`,
  not_allowed: (user) => `您没有使用这个机器人的权限。管理员把 ${user} 加入 BOT_ALLOWED_USERS 后即可使用。`,
  steered: '收到：正在运行的任务会把这一点考虑进去。',
  unreadable: '我能读文字、图片和文档。',
  not_taken: '有一部分内容我收不了：只收图片和文档，每个不超过 20 MB，一次最多十个。',
  not_loaded: (name) => `没能从这里取到您的文件 ${name}，所以什么也没做。请再发一次。`,
  file_not_sent: (name) => `这里发不了文件 ${name}，它在 Tripact 里。`,
  hello: [
    '您好！用一句话告诉我要做什么，我会做计划并逐步完成。',
    '需要时我会先问您；要您同意的操作，会等您点头再做。',
    '试试“明天 9 点提醒我给安娜打电话”。发送 /help 查看命令。',
  ].join('\n'),
  chose: (user, label) => `→ ${label}（${user}）`,
};

/** The bot's texts in the language that a text is in. */
export const textsFor = (sample: string): Texts => (/\p{Script=Han}/u.test(sample) ? chinese : english);

/** The reply of a turn as a chat shows it: the headings of a pause, and of a task that used all its steps, without their marks, for no text is formatted. */
export const replyText = ({ status, output }: Pick<Turn, 'status' | 'output'>): string =>
  status === 'paused' || status === 'failed' ? (output ?? '').replaceAll(/^## /gm, '') : (output ?? '');

/** A text for a user of whose language nothing is known. */
export const inBothLanguages = (pick: (texts: Texts) => string): string => `${pick(english)}\n${pick(chinese)}`;
