import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import type { Kind } from '../kinds.js'

type Values = {
  /** Where the files are published. */
  kind: Kind
  id: string
  /** The inputs for files without script. */
  inputs: Html
  /** What follows the files. */
  rest: Html
}

/** The form that publishes. The script replaces its inputs for files by an area where files are dropped. */
export function publishForm(input: Input, { kind, id, inputs, rest }: Values): Html {
  const { t } = textsOf(input)
  /** `{}`: where the script puts a value. */
  const hole = '{}'
  const texts = {
    image: t('data.kind.image'),
    code: t('data.kind.code'),
    data: t('data.kind.data'),
    description: t('revision.description'),
    remove: t('members.removeOne', { name: hole }),
    unused: t('publish.unused', { names: hole }),
    sent: t('publish.sent', { percent: hole }),
    stopped: t('publish.stopped', { problem: hole }),
    none: t('problem.files'),
  }
  const asText = Object.entries(texts).map(([name, text]) => [name, String(text)])
  return html`<form method="post" enctype="multipart/form-data" class="publish" data-kind="${kind.segment}" data-id="${id}"
data-texts="${JSON.stringify(Object.fromEntries(asText))}">${formToken(input)}
<label class="drop" hidden="">${t('publish.drop')} <input type="file" multiple=""></label>
<ul class="files"></ul>
${inputs}${rest}
<div class="buttons"><button>${t('publish.submit')}</button><button type="button" class="secondary" hidden="">${t('form.cancel')}</button></div>
<p class="sending" hidden=""><progress aria-label="${t('publish.progress')}"></progress> <span role="status"></span></p>
</form>`
}
