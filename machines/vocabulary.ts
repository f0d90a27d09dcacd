/** The part that a phrase plays in an answer (SPEC 3). */
export type Part =
  /** Agrees: "yes", 好的. */
  | 'yes'
  /** Tells to do it: "run it", 执行吧. */
  | 'act'
  /** Tells to go on: "continue", 继续. */
  | 'go_on'
  | 'always'
  /** Makes a yes last, and alone says nothing. */
  | 'ask_no_more'
  | 'no'
  /** Tells to stop: its negation is no refusal. */
  | 'stop'
  /** Stands only beside what tells to do something: "just", 马上. */
  | 'modal'
  /** The task or the work on it, or its doer: stands only beside what tells to go on. */
  | 'task'
  /** Politeness and filler, which say nothing. */
  | 'around';

/** A phrase, by the words or characters that it is made of. */
export interface Phrase {
  readonly part: Part;
  readonly text: string;
  /** `alone`: nothing stands beside it without a space or a mark. `lead`: nothing before it. A single character makes other words with its neighbours (好是好, 做好). */
  readonly place?: 'alone' | 'lead';
}

const each = (texts: string): string[] => texts.split('|');

/** Every text with each of the endings, and bare. */
const withEndings = (texts: string, endings: string): string[] =>
  each(texts).flatMap((text) => [text, ...each(endings).map((ending) => `${text}${ending}`)]);

const YES = [
  ...each(
    'yes|y|yep|yup|yeah|yea|aye|ok|okay|okey|okie|sure|sure thing|fine|good|great|perfect|excellent|alright|all right|very good|very well',
  ),
  ...each(
    'confirm|confirmed|i confirm|approve|approved|approve it|i approve|allow|allowed|allow it|allow this|accept|accepted|i accept|permit|permitted',
  ),
  ...each(
    'agree|agreed|i agree|correct|exactly|absolutely|definitely|certainly|of course|by all means|affirmative|roger|deal|lgtm',
  ),
  ...[
    'looks',
    'sounds',
    'it looks',
    'that looks',
    'this looks',
    'that sounds',
    'this sounds',
    'it sounds',
    'the plan looks',
    'the plan sounds',
    "that's",
    'that is',
    "it's",
    'it is',
    'this is',
    'the plan is',
  ].flatMap((beginning) =>
    each('good|great|fine|perfect|ok|okay|right|correct|excellent').map((end) => `${beginning} ${end}`),
  ),
  ...each(
    'that works|this works|that works for me|this works for me|works for me|fine by me|fine with me|ok with me|ok by me|good to go|no problem|no objection|no objections|uh huh|mhm|mm hmm',
  ),
  ...each('please do|you may|yes you may|yes you can'),
  ...each(
    '是的|是啊|是呀|好的|好啊|好呀|好哦|好喔|好吧|好嘞|好咧|好哒|好滴|ok的|可以|可以的|可以啊|可以呀|行的|行啊|行呀|行吧|对的|对啊|对呀',
  ),
  ...each(
    '嗯|恩|嗯呢|嗯好|嗯行|嗯对|那好|那行|那就好|那就行|哦好|确认|我确认|确认无误|确定|我确定|同意|我同意|批准|我批准|允许|我允许|准许|通过',
  ),
  ...each(
    '没问题|没问题的|没有问题|没意见|没有意见|没错|正确|当然|当然可以|很好|非常好|挺好|挺好的|太好了|看起来不错|看起来很好|看上去不错|听起来不错|听起来很好',
  ),
];

const ACT = [
  ...['run', 'execute', 'start', 'begin', 'launch'].flatMap((verb) => [
    verb,
    ...each('it|this|that|them|the plan|this plan|the task|the tool').map((object) => `${verb} ${object}`),
  ]),
  ...each(
    'go|go ahead|go for it|go with it|go with that|go with this|go with the plan|go with this plan|proceed|do it|do this|do that|do so|get started|get going|make it so',
  ),
  ...withEndings('执行|运行|启动|开始|开始执行|开始运行|开始做|去做|去办|动手|开工|开干|照做|照办', '吧|啊|呀|一下'),
  ...each('执行|运行|启动|开始执行|开始运行').flatMap((verb) =>
    each('它|计划|这个计划|该计划|任务|这个任务|该任务|工具|这个工具|该工具|操作|这个操作|该操作').map(
      (object) => `${verb}${object}`,
    ),
  ),
  ...each(
    '开始任务|做吧|干吧|来吧|走吧|走起|进行吧|就这样|就这样吧|就这样做|就这样做吧|就这么办|就这么办吧|就这么做|就这么做吧|就这么定了',
  ),
  ...withEndings('按计划执行|按计划进行|按计划做|按照计划执行|按这个计划执行|按这个执行|按这个做', '吧'),
];

const GO_ON_VERBS = each('continue|resume|go on|go ahead|carry on|keep going|proceed|keep working');

const TASKS = each(
  'task|the task|this task|that task|my task|the last task|the previous task|the earlier task|the paused task|the old task|the same task|the work|the job|the plan',
);

const GO_ON_OBJECTS = [
  ...TASKS,
  ...[...TASKS, 'it', 'this', 'that', 'what you were doing'].map((task) => `with ${task}`),
  ...each(
    'it|work|working|working on it|working on the task|what you were doing|as planned|to the end|until it is done',
  ),
  ...each(
    'from there|from here|where you left off|where we left off|where it left off|where you stopped|where it stopped',
  ),
  ...each(
    'from where you left off|from where we left off|from where it left off|from where you stopped|from where it stopped',
  ),
];

const GO_ON = [
  ...GO_ON_VERBS.flatMap((verb) => [verb, ...GO_ON_OBJECTS.map((object) => `${verb} ${object}`)]),
  ...each('pick up where you left off|pick up where we left off|继续|接着|恢复|往下'),
];

const TASK = [
  ...each(
    '你|您|麻烦|吧|一下|做|做吧|做完|做下去|干|干活|完成|执行|执行下去|进行|进行下去|处理|工作|下去|往下|任务|这个任务|那个任务|把任务|把它',
  ),
  ...withEndings('之前|上次|刚才|先前|前面|上面', '的|的任务|的工作'),
  ...each('上一个任务|原来的任务|未完成的任务|没完成的任务|没做完的|没做完的任务|暂停的任务'),
  ...each('从|从上次|从刚才|从之前').flatMap((start) =>
    each('中断的地方|停下的地方|断开的地方|断点').map((end) => `${start}${end}`),
  ),
];

const ALWAYS = [
  ...each('always|yes to all|allow all|approve all|allow always|approve always|总是|始终'),
  ...each('yes|allow|allow it|allow this|approve|approve it|run|run it|ok|accept|permit').map(
    (verb) => `always ${verb}`,
  ),
  ...each('总是|始终|一直|以后都|每次都|一律').flatMap((adverb) =>
    each('允许|可以|同意|批准|准许|通过|执行|运行|好|行|这样做').map((verb) => `${adverb}${verb}`),
  ),
];

const ASK_NO_MORE = [
  ...each("don't ask|do not ask|and don't ask|and do not ask").flatMap((start) => [
    `${start} again`,
    `${start} me again`,
  ]),
  ...withEndings('不用再问|别再问|不要再问|不再询问|以后不用再问|以后别再问|以后不要再问', '了|我|我了'),
];

const NO = [
  ...each(
    'no|n|nope|nah|no way|never|reject|rejected|decline|declined|deny|denied|refuse|refused|i refuse|disagree|i disagree|negative|not approved',
  ),
  ...each(
    "don't|do not|don't do it|do not do it|don't do that|do not do that|don't do this|don't run|do not run|don't run it|do not run it|don't start|do not start|don't continue|do not continue",
  ),
  ...each('absolutely not|definitely not|certainly not|of course not|never mind|nevermind|forget it|forget about it'),
  ...each(
    '不要|不要了|不行|不行的|不用|不用了|不可以|不同意|我不同意|不了|不必|不必了|不需要|不需要了|不允许|不批准|拒绝|我拒绝',
  ),
  ...each(
    '算了|算了吧|还是算了|还是算了吧|还是不要了|还是不用了|还是别了|免了|没必要|不执行|不运行|不继续|不继续了|不开始|不做了',
  ),
  ...each('别|不要').flatMap((start) => each('做|做了|执行|运行|开始|继续|继续了').map((verb) => `${start}${verb}`)),
];

const STOP = [
  ...['cancel', 'stop', 'abort'].flatMap((verb) => [
    verb,
    ...each('it|that|this|the plan|this plan|everything').map((object) => `${verb} ${object}`),
  ]),
  ...each('quit|halt|取消|取消吧|取消它|取消计划|取消这个计划|停止|停止吧|停吧|停下|停下来|中止|终止|放弃|放弃吧'),
];

const MODAL = [
  ...each(
    "just|let's|let us|you can|you may|直接|马上|立即|立刻|赶紧|快|快点|就|请你|请您|你可以|您可以|麻烦你|麻烦您",
  ),
];

const AROUND = [
  ...each(
    'please|pls|plz|kindly|thanks|thanks a lot|many thanks|thank you|thank you very much|thank you so much|thx|ty|cheers',
  ),
  ...each(
    'now|right now|right away|at once|immediately|then|oh|ah|cool|nice|awesome|wonderful|with it|with that|with this|with the plan|to me|for me|from my side',
  ),
  ...each('谢谢|谢谢你|谢谢您|谢谢啦|多谢|感谢|辛苦了|辛苦你了|拜托了|请|那|那就|现在|啊|呀|哦|噢|喔|哈'),
  ...each('🙏|😊|🙂|😀|😃|😄|😁|☺|🚀|💪|🎉|✨|❤|👏|🤝'),
];

const of = (part: Part, texts: string[], place?: Phrase['place']): Phrase[] =>
  texts.map((text) => ({ part, text, ...(place && { place }) }));

/** Every phrase of the grammar of yes, no and continue, in English and simplified Chinese. */
export const VOCABULARY: readonly Phrase[] = [
  ...of('yes', YES),
  ...of('yes', each('👍|👌|✅|🆗|✔|☑')),
  ...of('yes', each('好|行|对|是|可'), 'alone'),
  ...of('yes', each('好|行|对'), 'lead'),
  ...of('act', ACT),
  ...of('act', each('做|干'), 'alone'),
  ...of('go_on', GO_ON),
  ...of('task', TASK),
  ...of('always', ALWAYS),
  ...of('ask_no_more', ASK_NO_MORE),
  ...of('no', NO),
  ...of('no', each('👎|❌')),
  ...of('no', each('不|否|别'), 'alone'),
  ...of('stop', STOP),
  ...of('stop', ['停'], 'alone'),
  ...of('modal', MODAL),
  ...of('around', AROUND),
];

/** Words that look like a yes and ask for one: the reply to "Please confirm: …" may repeat it. */
export const ASKS_FOR_YES: readonly string[] = [
  ...each('confirm|approve|allow|accept|permit|agree').flatMap((verb) => [
    `please ${verb}`,
    `${verb} please`,
    `${verb} it please`,
  ]),
  ...each('确认|批准|允许|同意|准许|通过|确定').map((verb) => `请${verb}`),
];

/** Traditional characters of the vocabulary, each before its simplified one. */
export const TRADITIONAL =
  '繼继續续執执認认確确沒没問问題题對对請请謝谢開开過过運运許许總总終终後后別别煩烦這这樣样個个從从斷断務务復复著着剛刚來来還还計计劃划們们給给當当無无見见讚赞話话啟启動动說说絕绝棄弃結结應应該该為为時时點点須须麼么誤误錯错聽听趕赶馬马處处暫暂選选項项條条種种號号';
