import { type Html, html } from '@figbase/kit/text'
import type { Story } from '@figbase/proto/stories'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { type Problem, problemNote } from '../form-problem.js'
import { storyPath } from './read.js'

/** Lets AI write a whole story, or improve its texts. */
export function writerForm(
  input: Input,
  { node, generationStatus }: Story,
  problem: Problem,
): Html {
  const { t } = textsOf(input)
  const running = generationStatus
    ? html`<p class="notice" role="status">${t('story.isWritten')}</p>`
    : html``
  return html`<h2>${t('story.ai')}</h2>${problemNote(t, problem)}${running}
<p>${t('story.aiNote')}</p>
<form method="post" action="${storyPath(node?.id ?? '')}write/">${formToken(input)}
<div class="buttons"><button name="action" value="generate" class="secondary">${t('story.generate')}</button>
<button name="action" value="refine" class="secondary">${t('story.refine')}</button></div></form>`
}
