import type { Ctx } from '../context.js'
import { aiFailed } from '../model/errors.js'
import type { Prompt } from '../prompts/prompt.js'
import { type AnswerOptions, wholeAnswer } from './answer.js'

const attemptsMax = 2
const problemCharsMax = 1000

/** Answers a prompt with JSON of its shape. What does not have the shape is asked again once; then 502. */
export async function answerJson<T>(
  ctx: Ctx,
  prompt: Prompt<T> & Required<Pick<Prompt<T>, 'json'>>,
  options: AnswerOptions,
): Promise<T> {
  let current: Prompt<unknown> = prompt
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const response = await wholeAnswer(ctx, current, options)
    const { success, data, error } = prompt.json.safeParse(jsonIn(response))
    if (success) return data
    ctx.log.info({ prompt: prompt.name, attempt }, 'the answer of the model has another shape')
    current = { ...prompt, messages: [...prompt.messages, ...complaint(response, error.message)] }
  }
  throw aiFailed()
}

/** Some models wrap JSON into a code block. */
function jsonIn(text: string): unknown {
  const [, inner = text] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(text) ?? []
  try {
    return JSON.parse(inner, (_, value) => (typeof value === 'string' ? storable(value) : value))
  } catch {
    return undefined
  }
}

/** PostgreSQL stores no NUL, and no half of a character. */
const storable = (text: string) => Buffer.from(text.replaceAll('\0', '')).toString()

const complaint = (response: string, problem: string): Prompt['messages'] => [
  { role: 'assistant', content: response || '(empty)' },
  {
    role: 'user',
    content: `This is not JSON of the required shape: ${problem.slice(0, problemCharsMax)}. Answer again with this JSON only.`,
  },
]
