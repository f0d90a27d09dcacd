import { expect, it } from 'vitest';
import { z } from 'zod';
import { Message } from '../../src/http/protocols/openai/messages.ts';
import { sideAnswer } from '../../src/http/protocols/openai/side-jobs.ts';
import { startService } from '../support/service/service.ts';

const HISTORY = `### Chat History:
<chat_history>
USER: Plan a "small" party for Saturday, with balloons and cake
and a band
ASSISTANT: Which Saturday?
USER: 下周六
</chat_history>`;

/** Prompts of Open WebUI, by what tells them apart: their first line, and the form that they ask for. */
const openWebUi = {
  title: `### Task:
Generate a concise, 3-5 word title with an emoji summarizing the chat history.
### Guidelines:
- Your entire response must consist solely of the JSON object, without any introductory or concluding text.
### Output:
JSON format: { "title": "your concise title here" }
### Examples:
- { "title": "📉 Stock Market Trends" },
${HISTORY}`,
  plainTitle: `### Task:
Generate a concise, 3-5 word title with an emoji summarizing the chat history.
### Output:
Return ONLY the title text, nothing else.
${HISTORY}`,
  tags: `### Task:
Generate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more specific subtopic tags.

### Output:
JSON format: { "tags": ["tag1", "tag2", "tag3"] }

${HISTORY}`,
  followUps: `### Task:
Suggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next in this conversation as a **user**, based on the chat history, to help continue or deepen the discussion.
### Guidelines:
- Response must be a JSON object with a "follow_ups" key containing an array of strings, no extra text or formatting.
### Output:
JSON format: { "follow_ups": ["Question 1?", "Question 2?", "Question 3?"] }
${HISTORY}`,
  queries: `### Task:
Analyze the chat history to determine the necessity of generating search queries, in the given language.

### Guidelines:
- When generating search queries, respond in the format: { "queries": ["query1", "query2"] }, ensuring each query is distinct.

### Output:
Strictly return in JSON format: 
{
  "queries": ["query1", "query2"]
}

${HISTORY}
`,
  image: `### Task:
Generate a detailed prompt for am image generation task based on the given language and context.

### Output:
Strictly return in JSON format:
{
    "prompt": "Your detailed description here."
}

${HISTORY}`,
  autocomplete: `### Task:
You are an autocompletion system. Continue the text in \`<text>\` based on the **completion type** in \`<type>\` and the given language.  

### **Output Rules**:
- Respond only in JSON format: \`{ "text": "<your_completion>" }\`.

---
### Context:
<chat_history>
USER: hello
</chat_history>
<type>General</type>  
<text>The sun was</text>  
#### Output:
`,
  documents: `### Task:
Respond to the user query using the provided context, incorporating inline citations in the format [id].

### Output:
Provide a clear and direct response to the user's query.

<context>
<source id="1">{"title": "A page", "tags": []}</source>
</context>

What is the title of the page?`,
};

const CONVO = 'User: Plan a small party for Saturday, with balloons\nAI: Which Saturday?';

const answered = (...messages: [role: string, content: string][]) =>
  sideAnswer(z.array(Message).parse(messages.map(([role, content]) => ({ role, content }))));

it("answers each job of Open WebUI from the prompt itself, in the form that it asks for, and no user's message", () => {
  const texts = Object.entries(openWebUi).map(([name, prompt]) => [name, answered(['user', prompt])?.text]);
  expect(Object.fromEntries(texts)).toEqual({
    title: '{"title":"Plan a \\"small\\" party for Saturday"}',
    plainTitle: 'Plan a "small" party for Saturday',
    tags: '{"tags":[]}',
    followUps: '{"follow_ups":[]}',
    queries: '{"queries":[]}',
    image: '{"prompt":"下周六"}',
    autocomplete: '{"text":""}',
    documents: undefined,
  });
  const choice =
    'Available Tools: [{"name": "x"}]\n\nYour task is to choose and return the correct tool(s) from the list of available tools based on the query.';
  expect(answered(['system', choice], ['user', 'Query: hello'])?.text).toBe('{"tool_calls": []}');
});

it.each([
  [
    `Provide a concise, 5-word-or-less title for the conversation, using title case conventions.\n\nConversation:\n${CONVO}`,
  ],
  [
    `Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title\n\n${CONVO}`,
  ],
  [
    'Please generate a concise, 5-word-or-less title for the conversation\n\n||>User:\n"Plan a small party for Saturday, with balloons"\n||>Response:\n"x"',
  ],
])('answers the titles of LibreChat', (prompt) => {
  expect(answered(['user', prompt])).toEqual({
    text: 'Plan a small party for Saturday',
    fields: { language: 'English', title: 'Plan a small party for Saturday' },
  });
});

it('answers the titles of Chatbox and NextChat', () => {
  const name = `Based on the chat history, give this conversation a name.\nKeep it short.\n\nHere's the conversation:\n\n\`\`\`\n帮我安排周六的聚会\n\n---------\n\n好的\n\`\`\``;
  expect(answered(['user', name])?.text).toBe('帮我安排周六的聚会');
  const topic = '使用四到五个字直接返回这句话的简要主题，不要解释、不要标点';
  expect(answered(['user', '买牛奶。'], ['assistant', '好'], ['user', topic])?.text).toBe('买牛奶');
});

it.each([
  [
    'You are a professional conversation summarizer. Generate a concise title that captures',
    'user: 买牛奶。\nassistant: 好',
  ],
  [
    '你是一名擅长会话的助理，你需要将用户的会话总结为 10 个字以内的标题',
    'assistant: 你好\nuser: 买牛奶。\n\n请总结上述对话',
  ],
  ['Summarize the conversation into a title in en-us within 10 words', '[{"role":"user","mainText":"买牛奶。"}]'],
  ['你是一名擅长会话的助理，你需要将用户的会话总结为 10 个字以内的标题', '买牛奶。'],
])('answers the titles of LobeChat and Cherry Studio: %s', (instructions, conversation) => {
  expect(answered(['system', instructions], ['user', conversation])?.text).toContain('买牛奶');
});

it.each([
  'Please generate a report',
  'Give me a title for my essay',
  '### Task: write a poem with a title',
  'Available Tools: hammer. What can I build?',
])('takes %j as what the user says', (text) => {
  expect(answered(['user', text])).toBeNull();
});

it('opens no session and asks no model for a job, streamed or not, in either API, also where an object is asked for by a tool', async () => {
  const service = await startService([]);
  const ask = async (path: string, body: object): Promise<string> =>
    (await service.post(path, body, { 'x-session-id': 's' })).text();
  const messages = [{ role: 'user', content: openWebUi.title }];
  const title = 'Plan a \\\\\\"small\\\\\\" party';
  expect(await ask('/v1/chat/completions', { messages })).toContain(title);
  expect(await ask('/v1/chat/completions', { messages, stream: true })).toContain(title);
  expect(await ask('/v1/responses', { input: messages })).toContain(title);
  expect(await ask('/v1/responses', { input: openWebUi.title, stream: true })).toContain('response.completed');
  const prompt = `Analyze this conversation and provide:\n1. The detected language of the conversation\n\n${CONVO}`;
  const tools = [{ type: 'function', function: { name: 'extract', parameters: {} } }];
  const call = JSON.parse(await ask('/v1/chat/completions', { messages: [{ role: 'user', content: prompt }], tools }));
  const { function: called } = call.choices[0].message.tool_calls[0];
  expect([called.name, JSON.parse(called.arguments)]).toMatchObject(['extract', { language: 'English' }]);
  expect(await service.get('/v1/sessions')).toMatchObject({ sessions: [] });
  expect(service.model.requests).toEqual([]);
});
