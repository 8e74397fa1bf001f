import type english from '../../messages/en.json'
import type { Site } from '../rpc/site.js'
import { type Html, html } from '../text/html.js'
import { readMailTexts } from './mail-texts.js'
import type { MailContent } from './mailer.js'
import { oneLine } from './words.js'

export type MailBody = {
  /** Also used as the heading. */
  subject: string
  paragraphs: string[]
  /** Quoted lines of another user, made by `quoted`. */
  quote?: string[]
  /** What happened to objects; each with the http(s) URL of its page, if it has one. */
  sections?: { title: string; url?: string; lines: string[] }[]
  /** Call to action with an http(s) URL. */
  action?: { label: string; url: string }
  /** Small print: validity, what to do if the mail was not expected. */
  notes: string[]
  /** Links in small print, with http(s) URLs. */
  links?: { label: string; url: string }[]
}

/** What all mails to a reader show: the site, and the tag of their language, such as `de-CH`; empty if it is not known. */
export type MailFrame = { site: Site; language: string }

const textsOf = readMailTexts<typeof english>(new URL('../../../messages/', import.meta.url))

/** Renders text and HTML, with the site's announcement and signature at the end. */
export function renderMail({ site, language }: MailFrame, body: MailBody): MailContent {
  const texts = textsOf(language)
  const url = body.action && checkedUrl(body.action.url)
  const notes = [...body.notes, ...announcementOf(site, texts)]
  const signed = {
    ...body,
    sections: (body.sections ?? []).map(({ url, ...rest }) => ({
      ...rest,
      url: url === undefined ? undefined : checkedUrl(url),
    })),
    links: (body.links ?? []).map(({ label, url }) => ({ label, url: checkedUrl(url) })),
    notes,
    signature: texts.t('mail.signature', { site: site.name }),
    texts,
  }
  return { subject: body.subject, text: toText(signed, url), html: toPage(signed, url).toString() }
}

type Texts = ReturnType<typeof textsOf>
type Section = { title: string; url: string | undefined; lines: string[] }
type SignedBody = Omit<MailBody, 'sections'> & {
  sections: Section[]
  links: { label: string; url: string }[]
  signature: string
  texts: Texts
}

const announcementCharsMax = 2000

function announcementOf({ name, announcement }: Site, { t }: Texts) {
  const line = oneLine(announcement, announcementCharsMax)
  return line ? [`${t('mail.announcement', { site: name })} ${line}`] : []
}

/** Only http(s) URLs become links. */
function checkedUrl(text: string) {
  const url = new URL(text)
  if (!['http:', 'https:'].includes(url.protocol))
    throw new Error('a link in a mail must be http or https')
  return url.href
}

function toText(
  { paragraphs, quote = [], sections, action, links, notes, signature }: SignedBody,
  url: string | undefined,
) {
  const quotation = quote.length > 0 ? [quote.map((line) => `> ${line}`).join('\n')] : []
  const link = action && url ? [`${action.label}:\n${url}`] : []
  const parts = sections.map(({ title, url, lines }) =>
    [title, ...(url ? [url] : []), ...lines.map((line) => `- ${line}`)].join('\n'),
  )
  const smallPrint = [...links.map(({ label, url }) => `${label}:\n${url}`), ...notes]
  const all = [...paragraphs, ...quotation, ...parts, ...link, ...smallPrint, `-- \n${signature}`]
  return `${all.join('\n\n')}\n`
}

// The reader's theme sets the colours, except those of the button.
const page = 'margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5'
const column = 'max-width:560px;margin:0 auto'
const heading = 'margin:0 0 16px;font-size:20px;line-height:1.3;overflow-wrap:anywhere'
const sectionTitle = 'margin:0 0 4px;font-size:16px;line-height:1.4;overflow-wrap:anywhere'
const paragraph = 'margin:0 0 16px;overflow-wrap:anywhere'
const button =
  'display:inline-block;padding:10px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none'
const indented = 'margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #808080'
const list = 'margin:0 0 16px;padding:0 0 0 20px;overflow-wrap:anywhere'
const quotedLine = 'margin:0 0 4px;overflow-wrap:anywhere'
const small = 'margin:0 0 12px;font-size:14px;overflow-wrap:anywhere'

function toPage(body: SignedBody, url: string | undefined): Html {
  const { subject, paragraphs, quote = [], sections, action, links, notes, signature, texts } = body
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>:root { color-scheme: light dark; }</style>
</head>
<body style="${page}">
<div style="${column}">
<h1 style="${heading}">${subject}</h1>
${paragraphs.map((text) => html`<p style="${paragraph}">${text}</p>\n`)}${
  quote.length > 0 ? toQuotation(quote) : ''
}${sections.map(toSection)}${
  action && url ? toButton(action.label, url, texts) : ''
}${links.map(({ label, url }) => html`<p style="${small}"><a href="${url}">${label}</a></p>\n`)}${notes.map((text) => html`<p style="${small}">${text}</p>\n`)}<hr style="margin:24px 0 12px;border:0;border-top:1px solid #808080">
<p style="${small}">${signature}</p>
</div>
</body>
</html>
`
}

const toQuotation = (lines: string[]) => html`<blockquote style="${indented}">
${lines.map((line) => html`<p style="${quotedLine}">${line}</p>\n`)}</blockquote>
`

const toSection = ({ title, url, lines }: Section) => html`<h2 style="${sectionTitle}">${
  url ? html`<a href="${url}">${title}</a>` : title
}</h2>
<ul style="${list}">
${lines.map((line) => html`<li>${line}</li>\n`)}</ul>
`

// The URL is repeated below the button for readers who cannot see or do not trust it.
const toButton = (
  label: string,
  url: string,
  { t }: Texts,
) => html`<p style="${paragraph}"><a href="${url}" style="${button}">${label}</a></p>
<p style="${small}">${t('mail.openAddress')}<br><a href="${url}">${url}</a></p>
`
