import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import type { Texts } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { type Problem, problemNote } from '../form-problem.js'

export type NodeValues = { name: string; description: string }

type Options = {
  submit: Html
  problem: Problem
  /** More inputs, above and below the others. */
  more?: Html
  below?: Html
  /** Where the form is sent to; default: the address of the page. */
  action?: string
}

/** The form for name and description. */
export const nodeForm = (
  input: Input,
  { t }: Texts,
  values: NodeValues,
  { submit, problem, more = html``, below = html``, action = '' }: Options,
): Html => html`${problemNote(t, problem)}
<form method="post"${action ? html` action="${action}"` : html``}>
${formToken(input)}${more}
<label>${t('edit.name')} <input name="name" value="${values.name}" maxlength="500" required></label>
<label>${t('edit.description')} <textarea name="description" rows="6">
${values.description}</textarea></label>
<p class="quiet">${t('edit.markdown')}</p>
${below}<button>${submit}</button>
</form>`

export const valuesIn = ({ name = '', description = '' }: Record<string, string>): NodeValues => ({
  name,
  // Browsers send line breaks as CR LF.
  description: description.replaceAll('\r\n', '\n'),
})
