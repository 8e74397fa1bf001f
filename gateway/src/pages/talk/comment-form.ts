import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { type Problem, problemNote } from '../form-problem.js'
import type { Page } from '../page.js'
import { markdownHtml } from '../text.js'

/** Longer previews would take long to render. */
const previewCharsMax = 16 * 1024

type Values = {
  title: Html
  /** What is above the form. */
  above?: Html
  content: string
  back: string
  problem?: Problem
  isPreview?: boolean
}

/** The form for a comment in Markdown, with its preview. */
export async function commentFormPage(input: Input, values: Values): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const { title, above = html``, content, back, problem, isPreview } = values
  return {
    ...(problem && { status: problem.status }),
    title,
    hasForm: true,
    connects: true,
    content: html`<h1>${title}</h1>
${above}${problemNote(t, problem)}${isPreview ? await preview(texts, content) : html``}
<form method="post">${formToken(input)}
<label>${t('comments.content')} <textarea name="content" rows="8" required data-people="${back}comment/people/"
data-label="${t('comments.people')}">
${content}</textarea></label>
<p class="quiet">${t('comments.hint')}</p>
<div class="buttons"><button name="action" value="send">${t('comments.send')}</button>
<button name="action" value="preview" class="secondary">${t('comments.preview')}</button>
<a href="${back}">${t('form.cancel')}</a></div>
</form>`,
  }
}

const preview = async (texts: Texts, content: string) =>
  html`<section aria-label="${texts.t('comments.preview')}" class="written preview" dir="auto">${await markdownHtml(texts, content.slice(0, previewCharsMax))}</section>`

/** Browsers send line breaks as CR LF. */
export const contentIn = ({ content = '' }: Record<string, string>): string =>
  content.replaceAll('\r\n', '\n')
