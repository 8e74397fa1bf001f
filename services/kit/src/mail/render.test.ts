import { formatTime } from './format-time.js'
import { renderMail } from './render.js'
import { mailTemplateContract } from './template-contract.js'
import { words } from './words.js'

mailTemplateContract({
  withExpiringLink: (site, name, url, expiresOn) => [
    renderMail(site, {
      subject: words`Hello ${name}`,
      paragraphs: [words`“${name}” on ${site.name}`],
      action: { label: 'Open', url },
      notes: [`Until ${formatTime(expiresOn)}.`],
    }),
  ],
  withoutLink: (site, name) => [
    renderMail(site, {
      subject: 'Hello',
      paragraphs: [words`“${name}” on ${site.name}`],
      notes: [],
    }),
  ],
})
