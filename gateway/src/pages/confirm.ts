import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../endpoint.js'
import { textsOf } from '../texts/texts.js'
import { formToken } from './form.js'
import { type Problem, problemNote } from './form-problem.js'
import type { Page } from './page.js'

type Question = {
  title: Html
  /** What happens. */
  text: Html
  /** Where the form is sent to, with these inputs. */
  action: string
  inputs?: Html
  /** The text of the button. */
  button: Html
  /** Where the link leads that does nothing. */
  back: string
  problem?: Problem
}

/** Asks before an action that cannot be undone. */
export function confirmPage(input: Input, question: Question): Page {
  const { title, text, action, inputs = html``, button, back, problem } = question
  const { t } = textsOf(input)
  return {
    ...(problem && { status: problem.status }),
    title,
    hasForm: true,
    content: html`<h1>${title}</h1>
<p>${text}</p>
${problemNote(t, problem)}
<form method="post" action="${action}">${formToken(input)}${inputs}
<div class="buttons"><button class="dangerous">${button}</button><a href="${back}">${t('form.cancel')}</a></div>
</form>`,
  }
}
