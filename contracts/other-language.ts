/** Splits a list of words. */
const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Words that alone reveal an English goal: what it quotes may be in any language. */
const ABOUT_WORDS = words(`
  translate translates translation english german french spanish italian portuguese dutch japanese chinese korean
  arabic russian means meaning mean define pronounce spell summarize summarise paraphrase proofread say
`);

/**
 * Function words of English, and words with which English goals begin. None of them is common in another language that
 * is detected by its words.
 */
const ENGLISH = words(`
  the and of my your our their his its with from what how when where why who which this that these those it you we
  they please could would should does did not have about into there then than if or be been both before after between
  tell find make show give get send write read book order cancel explain check buy list create reserve remind call pay
  search look play add remove delete open close start stop run fix test review plan reschedule weather today tomorrow
  tonight next last every time need want let help thanks hello refund ticket table tickets reply answer respond
  forward email
`);

/** Words that reveal a goal in a language with Latin letters other than English. None of them is an English word. */
const FOREIGN = words(`
  ein eine einen einem einer eines und oder ist sind nicht ich mich uns für bei nach wie wann warum welche welcher
  welches welchen bitte mein meine meinen meinem meiner dein deine heute übermorgen kannst können könnte könntest
  möchte soll gibt auf aus über dass wenn habe haben hast wird werden keine sehr jetzt schon uhr zur zwischen wieviel
  bestell bestelle bestellen bestellung storniere stornieren buche buchen suche schreib schreibe schicke schick sende
  zeig zeige erstelle erkläre übersetze finde gib mache öffne lösche termin rechnung flug wetter guten danke heißt
  heisst bedeutet kostet kosten geht bist wer wieso wohin woher hilf hilfe fasse erinnere ruf datei dateien une avec
  dans nous votre vos quel quelle quels quelles où quand pourquoi bonjour merci demain aujourd'hui cette ces peux peut
  pouvez veux veut voudrais faut trouve trouver cherche chercher réserve réserver annule annuler envoie envoyer écris
  montre traduis explique raconte rappelle commande commander achète billet heure météo fais combien supprime
  supprimer crée fichier fichiers liste besoin una unos unas qué cuál cuáles cuándo cómo dónde quién cuánto cuánta
  está están quiero quisiera necesito puedes puede hola gracias mañana hoy busca buscar encuentra envía enviar escribe
  escríbeme muéstrame muestra cancela cancelar reserva reservar pedido pide compra comprar traduce explica tengo pero
  sobre más también ayer vuelo vuelos para por cuando donde buenos buenas elimina borra crea archivo archivos devuelve
  sono perché questo questa questi voglio vorrei puoi ciao grazie domani oggi prenota prenotare ordina trova cerca
  annulla scrivi invia mostrami dimmi traduci alle della delle dello nella nel degli anche gli tavolo biglietto è não
  você meu minha preciso pode onde quando qual quanto olá obrigado obrigada amanhã hoje encontre procure envie escreva
  cancele traduza isso são horas het een ik mijn niet voor naar wat waar wanneer waarom kun kunt alstublieft bestel
  boek zoek maak schrijf stuur annuleer vandaag zijn graag och är inte för att det som på av ikke jeg hva hvad hvor
  vad hur när idag imorgon boka bestill bestil beställ og ett med kan nå mig meg się nie jest jak gdzie kiedy dlaczego
  proszę mnie moje mój dla czy zamów znajdź napisz wyślij zarezerwuj anuluj jutro dziś dzisiaj bir ve için nasıl
  nerede kaç bana lütfen istiyorum yarın bugün mı saat là của tôi không một và có được gì untuk dengan tolong apa
  berapa bagaimana tidak besok saya kdy kde prosím objednej že egy és hogy mikor kérlek foglalj nem și este pentru
  unde când vreau mikä paljonko missä milloin kuinka varaa minulle huomenna kiitos että olen peça kolik encomende
  zarezervuj rezervă ändere chama mim
`);

/**
 * Words of other languages that also occur in names and in English. It takes several of them to reveal a language,
 * never one or two.
 */
const IN_NAMES = words(`
  der das die von den dem im am zum vom du wo mit zu alle noch es hier kann le la les de des l d et il un ce au aux en
  qui que vous pas mi sans el los las del y se su mis lo di da do dos em na o os as ao ne te op aan zo hva ett til vi
  az cari che cho co cu donne est hol ile itu jag je uma yang
`);

/** Loanwords that English spells with accents. */
const LOANWORDS = words(`
  café cafés résumé résumés naïve façade fiancé fiancée cliché clichés décor entrée entrées purée soufflé sauté sautéed
  brûlée crème piñata jalapeño jalapeños doppelgänger über déjà vu à touché voilà protégé exposé rosé pâté açaí smörgåsbord
  née matinée soirée communiqué risqué passé blasé coördinate señor señora papier-mâché crêpe crêpes gruyère
`);

/** Characters that Chinese uses and Japanese does not: function words, and common ones in their simplified form. */
const ONLY_CHINESE =
  /[吗嗎呢吧啊啦请帮幫们这么给你妳您她哪谁说說时对让为两还过进问题买卖订单间开关觉钟电话译词语读课讲讨论议记设计项规视见样动员现发线邮钱饭馆厅车场热头咱俩啥查销级约纪组织细经结统续维编务义业东书习产亲优传图团执报护择换摄显术权极构标检欢环监码离种积简类费资质账货购贸赛转轮软输达运远连选长门马鱼鸟龙风飞饮韩页顺须预领频额险阳阶际难鲜]/;

/** Characters of scripts other than Latin, Han and those of Japanese. */
const OTHER_SCRIPT = /(?![\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\p{Letter}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;

/** Pairs of quotation marks. The text between them is what a goal is about, in whatever language. */
const QUOTES = ['""', '“”', '„“', '«»', '「」', '『』', '《》', '``', '‘’'];

const withoutQuotations = (text: string): string => {
  let said = '';
  let at = 0;
  while (at < text.length) {
    const close = QUOTES.find(([open]) => open === text[at])?.[1];
    const end = close === undefined ? -1 : text.indexOf(close, at + 1);
    if (end === -1) said += text[at];
    else said += ' ';
    at = (end === -1 ? at : end) + 1;
  }
  return said;
};

/** Part of an address, a path or a name in code. */
const ADDRESS = /[@/\\_]|\.\S/;

/** How much of a goal is examined, in characters. */
const READ_CHARS_MAX = 1_000;

/**
 * Weight of a word that reveals a language by itself. Two words that occur in names, or one and a loanword, reveal
 * nothing.
 */
const WORD = 3;
const WEAK = 1;

/** How much of a text is in another language, and how much in English or Chinese. */
interface Evidence {
  other: number;
  ours: number;
}

const latinWord = (word: string, isFirst: boolean): Evidence => {
  const lower = word.toLowerCase();
  const isAcronym = word.length > 1 && word === word.toUpperCase();
  if (ENGLISH.has(lower)) return { other: 0, ours: WORD };
  if (isAcronym || LOANWORDS.has(lower)) return { other: 0, ours: 0 };
  if (FOREIGN.has(lower)) return { other: WORD, ours: 0 };
  if (IN_NAMES.has(lower)) return { other: WEAK, ours: 0 };
  if (/^(?:j|qu)['’]\p{L}/iu.test(word)) return { other: WORD, ours: 0 };
  if (/^[dlsnc]['’]\p{Lowercase}/iu.test(word)) return { other: WEAK, ours: 0 };
  if (/^[a-z'’]+$/.test(lower)) return { other: 0, ours: 0 };
  // Names are capitalized; at the start, every word is.
  if (word !== lower) return { other: isFirst ? WEAK : 0, ours: 0 };
  return { other: 2 * WEAK, ours: 0 };
};

const wordEvidence = (word: string, isFirst: boolean, isJapanese: boolean): Evidence => {
  if (KANA.test(word)) return { other: isJapanese ? WORD : 0, ours: 0 };
  if (HAN.test(word)) return { other: 0, ours: isJapanese ? 0 : WORD };
  if (!OTHER_SCRIPT.test(word)) return latinWord(word, isFirst);
  const isName = !isFirst && word !== word.toLowerCase();
  return { other: isName ? WEAK : WORD, ours: 0 };
};

const evidenceOf = (text: string): Evidence => {
  const found = new Set(text.match(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu));
  const sum: Evidence = { other: /[¿¡]/.test(text) ? WORD : 0, ours: 0 };
  const isJapanese = KANA.test(text) && !ONLY_CHINESE.test(text);
  let isFirst = true;
  for (const word of found) {
    const { other, ours } = wordEvidence(word, isFirst, isJapanese);
    sum.other += other;
    sum.ours += ours;
    isFirst = false;
  }
  return sum;
};

const isDecided = ({ other, ours }: Evidence): boolean => Math.max(other, ours) >= WORD && other !== ours;

/**
 * Whether a goal is in neither English nor Chinese, judged by its letters, scripts and common words. Where that is
 * uncertain, the answer is no. Quoted text, and text after a colon or the first line, counts only where the rest
 * reveals nothing.
 */
export const isOtherLanguage = (goal: string): boolean => {
  const read = goal.slice(0, READ_CHARS_MAX);
  const said = withoutQuotations(read)
    .split(/(\s+)/)
    .filter((part) => !ADDRESS.test(part))
    .join('');
  const text = /\p{L}/u.test(said) ? said : read;
  const all = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (all.some((word) => ABOUT_WORDS.has(word))) return false;
  const letters = text.match(/\p{L}/gu) ?? [];
  // A Chinese goal may contain words of any language in its middle, and a goal in another language may contain Chinese
  // words.
  if (!KANA.test(text) && [letters[0], letters.at(-1)].some((letter) => letter !== undefined && HAN.test(letter)))
    return false;
  const [head = ''] = text.trim().split(/[:：\n]/, 1);
  const first = evidenceOf(head);
  const { other, ours } = isDecided(first) ? first : evidenceOf(text);
  return other >= WORD && other > ours;
};
