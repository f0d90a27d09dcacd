/** The bot's own texts; all else is Tripact's, in the language of the task. */
const english = {
  continue: 'Continue',
  stop: 'Stop',
  answered: 'That has been answered already. If it has expired, “continue” asks it again.',
  over: 'That is over: nothing of it runs or waits any more.',
  cancelled: 'Cancelled.',
  queued: 'It begins when what runs now is over.',
  unreachable: 'Tripact can not be reached at the moment. Your message is kept, and its answer comes by itself.',
  in_vain: 'Tripact can not be reached at the moment, so this changed nothing. Please try again later.',
  interrupted: 'The connection to Tripact is lost. The task is not: its answer comes by itself.',
  refused: (detail: string): string => `Tripact refused this: ${detail}`,
  not_allowed: (user: string): string =>
    `You may not use this bot. Whoever runs it can let you by adding ${user} to BOT_ALLOWED_USERS.`,
  text_only: 'I can only read text.',
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
  text_only: '我只能读文字。',
  chose: (user, label) => `→ ${label}（${user}）`,
};

/** The bot's texts in the language that a text is in. */
export const textsFor = (sample: string): Texts => (/\p{Script=Han}/u.test(sample) ? chinese : english);

/** A text for a user of whose language nothing is known. */
export const inBothLanguages = (pick: (texts: Texts) => string): string => `${pick(english)}\n${pick(chinese)}`;
