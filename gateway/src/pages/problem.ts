import { type Html, html } from '@figbase/kit'
import { answerTo } from '../http/errors.js'

/** What the sender of a form is told to do otherwise; undefined when all went well. */
export type Problem = { status: number; detail: string } | undefined

const askable = [400, 409, 429]

/** Does what a form asks for; what is not the sender's fault is thrown. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  try {
    await work
    return undefined
  } catch (error) {
    const { status = 500, body } = answerTo(error) ?? {}
    if (!askable.includes(status)) throw error
    return { status, detail: body?.detail ?? '' }
  }
}

/** Above a form; names the input that is wrong. */
export const problemNote = (problem: Problem): Html =>
  problem ? html`<p class="problem" role="alert">${problem.detail}</p>` : html``
