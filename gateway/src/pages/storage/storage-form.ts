import { type Html, html } from '@figbase/kit/text'
import type { GetStorageResponse } from '@figbase/proto/catalog/plans'
import type { Input } from '../../endpoint.js'
import { required } from '../../required.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { passwordInput } from '../admin/layout.js'
import { type FormValues, formToken } from '../form.js'

/** The inputs of S3 by name; AWS has the bucket, and the prefix as its `key`. */
const inputs: [string, MessageKey, { type?: string; isRequired?: boolean; hint?: string }][] = [
  ['endpoint', 'storage.endpoint', { type: 'url', hint: 'https://s3.example.org' }],
  ['region', 'storage.region', { hint: 'us-east-1' }],
  ['bucket', 'storage.bucket', {}],
  ['prefix', 'storage.prefix', {}],
  ['access_key', 'storage.accessKey', {}],
]

/** The settings of a submitted form. Empty keys keep what is stored. */
export function settingsOf(body: FormValues): { vendor: string; paramsJson: string } {
  const { vendor = '', endpoint, region, bucket = '', prefix = '', access_key, secret_key } = body
  if (vendor === 'aws') return { vendor, paramsJson: JSON.stringify({ bucket, key: prefix }) }
  if (vendor !== 's3') return { vendor, paramsJson: '' }
  const params = { endpoint, region, bucket, prefix, access_key, secret_key }
  return { vendor, paramsJson: JSON.stringify(params) }
}

type Shown = { path: string; storage: GetStorageResponse; typed: FormValues | undefined }

/** The secret key is never shown. */
export function storageForm(input: Input, { path, storage, typed }: Shown): Html {
  const texts = textsOf(input)
  const { t } = texts
  const { vendor, paramsJson } = required(storage.settings)
  const values = typed ?? { vendor, ...valuesOf(paramsJson) }
  const vendors: [string, MessageKey][] = [
    [storage.defaultVendor, 'storage.default'],
    ['s3', 'storage.s3'],
    ...(vendor === 'aws' ? ([['aws', 'storage.aws']] as [string, MessageKey][]) : []),
  ]
  return html`<form method="post" action="${path}">${formToken(input)}
<fieldset class="options"><legend>${t('storage.where')}</legend>${vendors.map(
    ([name, label]) =>
      html`<label class="check"><input type="radio" name="vendor" value="${name}"${name === values.vendor ? html` checked=""` : html``}> ${t(label)}</label>`,
  )}</fieldset>
<fieldset class="options only-custom"><legend>${t('storage.settings')}</legend>${inputs.map((one) => inputOf(texts, one, values))}
<label>${t('storage.secretKey')} <input type="password" name="secret_key" autocomplete="off">
<span class="quiet">${t(vendor === 's3' ? 'storage.secretKept' : 'storage.secretNote')}</span></label>
<button name="action" value="test" class="secondary">${t('storage.test')}</button></fieldset>
${passwordInput(input)}
<button name="action" value="change">${t('storage.change')}</button></form>`
}

function inputOf(
  { t }: Texts,
  [name, label, { type, hint }]: (typeof inputs)[number],
  values: FormValues,
) {
  const shownType = type ? html` type="${type}"` : html``
  const example = hint ? html` placeholder="${hint}"` : html``
  return html`<label>${t(label)} <input${shownType} name="${name}" value="${values[name] ?? ''}"${example} autocomplete="off" autocapitalize="none" spellcheck="false"></label>`
}

/** The stored parameters by the names of the inputs. */
function valuesOf(paramsJson: string): FormValues {
  if (!paramsJson) return {}
  const { key, ...params } = JSON.parse(paramsJson) as FormValues
  return { ...params, ...(key !== undefined && { prefix: key }) }
}
