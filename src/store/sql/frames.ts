/** Stands for the frame's next piece, and for a piece that the text lacks. JSON contains neither character. */
const SAID = '\u0001';
const LEFT_OUT = '\u0002';

const READ =
  ',"reader":"strict","usage":{"input_tokens":…,"output_tokens":…,"cache_written_tokens":…,"cache_read_tokens":…,"model":"…","cost":{"amount":"…';

/**
 * The pieces that stored JSON repeats; a text's first piece selects its frame. Stored rows name a frame by its
 * position: append frames, never change one.
 */
const FRAMES = [
  `{"type":"thought.made","effect":…${READ}},"status":"continue","current_step":"…","next_action":{"tool":"…","input":"…"},"question":null,"response":null}…},"status":"done","current_step":"…","next_action":null,"question":null,"response":"…},"status":"ask_user","current_step":"…","next_action":null,"question":"`,
  '{"type":"observation.recorded","effect":…,"tool":"…","input":"…","ok":true,"result":"…","ok":false,"result":"',
  `{"type":"replan.made","effect":…${READ}},"status":"replanned","plan":[…],"response":null}…},"status":"done","plan":[],"response":"`,
  `{"type":"plan.made","effect":…${READ}},"status":"planned","plan":[`,
  `{"type":"task.opened","task_id":"task_…","session_id":"…","turn_id":"turn_…","goal":"…","language":"…","limits":{"max_steps":…,"max_total_steps":…,"failure_limit":…,"plan_retries":…,"max_questions":…,"max_plan_items":…,"max_rounds_per_item":…,"max_replans":…,"verify_limit":…,"max_task_tokens":…},"catalogue":{"tools":[{"name":"…${'","writes":false},{"name":"…'.repeat(10)},"executors":[{"name":"default","tools":null}]},"confirm_plan":false,"planning":true…,"verifies":false…,"conversation":[]}`,
  '[{"effect":…,"type":"model.thought","params":{"item_id":"…","may":["continue","ask_user","done"]}}]…,"type":"tool.call","params":{…,"item_id":"…","executor":"default"}}]…,"type":"model.replan","params":{"attempt":1}}]…,"type":"model.plan","params":{"attempt":1}}]',
  `{"id":"task_…","goal":"…","state":"done","phase":"done","plan":[…${'{"id":"…","step":"…","status":"completed","executor":"default","depends_on":[],"result":"…'.repeat(12)}"}],"current_plan_index":…,"step_count":…,"step_limit":…,"token_limit":null,"successful_steps":…,"failed_steps":…,"awaiting_clarification":false,"needs_replan":false,"outcome":"completed","pause_reason":null,"approval":null…,"usage":{"input_tokens":…,"output_tokens":…,"cache_written_tokens":…,"cache_read_tokens":`,
  '{"input_tokens":…,"output_tokens":…,"cache_written_tokens":…,"cache_read_tokens":…,"model":"',
  '{"answer":"{\\"status\\":\\"…continue\\",\\"current_step\\":\\"…\\",\\"next_action\\":{\\"tool\\":\\"…\\",\\"input\\":\\"…\\"},\\"question\\":null,\\"response\\":null}","failure":null,"prompt":…done\\",\\"current_step\\":\\"…\\",\\"response\\":\\"…planned\\",\\"plan\\":[…],\\"response\\":null}","failure":null,"prompt":…\\"}","failure":null,"prompt":…{"system":"","messages":[{"role":"user","content":"',
].map((frame) => frame.split('…'));

/** A JSON text as stored: with one character in place of each piece of its frame. */
export const pack = (text: string): string => {
  let number = 0;
  while (number < FRAMES.length && !text.startsWith(FRAMES[number]![0]!)) number += 1;
  if (number === FRAMES.length) return text;
  let packed = String(number);
  let skipped = '';
  let from = 0;
  for (const piece of FRAMES[number]!) {
    const at = text.indexOf(piece, from);
    if (at === -1) skipped += LEFT_OUT;
    else {
      packed += `${skipped}${text.slice(from, at)}${SAID}`;
      skipped = '';
      from = at + piece.length;
    }
  }
  return packed + text.slice(from);
};

/** The original JSON text. Texts from before frames existed are unchanged. */
export const unpack = (stored: string): string => {
  const [number] = /^\d+/.exec(stored) ?? [];
  if (number === undefined) return stored;
  const frame = FRAMES[Number(number)]!;
  let next = 0;
  return stored.slice(number.length).replace(/[\u0001\u0002]/g, (mark) => {
    const piece = frame[next++] ?? '';
    return mark === SAID ? piece : '';
  });
};
