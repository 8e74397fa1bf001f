import { html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import type { FormResult, FormValues } from '../form.js'
import { type Problem, problemNote, resultOf } from '../form-problem.js'
import type { Page } from '../page.js'

/** Adds a reaction to a comment, or takes one back, and leads to the comment. */
export async function react(input: Input<FormValues>, page: string): Promise<FormResult> {
  const { body, params, services, call } = input
  const { comment: commentId = '' } = params
  const { taken_back: id, emoji = '' } = body
  const changed = id
    ? services.comments.deleteReaction({ id }, call)
    : services.comments.createReaction({ commentId, emoji }, call)
  const back = `${page}#comment-${commentId}`
  return resultOf(changed, back, (problem) => problemPage(input, back, problem))
}

function problemPage(input: Input, back: string, problem: Problem): Page {
  const { t } = textsOf(input)
  return {
    title: t('comments.react'),
    content: html`<h1>${t('comments.react')}</h1>${problemNote(t, problem)}
<p><a href="${back}">${t('comments.title')}</a></p>`,
  }
}
