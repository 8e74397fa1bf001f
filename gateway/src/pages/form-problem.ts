import { type Html, html } from '@figbase/kit/text'
import { answerTo } from '../http/errors.js'

/** An error that the user can fix; undefined on success. */
export type Problem = { status: number; detail: string } | undefined

const userErrors = [400, 409, 429]

/** Awaits the RPC of a form. Returns errors that the user can fix, and throws all others. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  try {
    await work
    return undefined
  } catch (error) {
    const { status = 500, body } = answerTo(error) ?? {}
    if (!userErrors.includes(status)) throw error
    return { status, detail: body?.detail ?? '' }
  }
}

/** The error message above a form. */
export const problemNote = (problem: Problem): Html =>
  problem ? html`<p class="problem" role="alert">${problem.detail}</p>` : html``
