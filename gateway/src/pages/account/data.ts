import { html } from '@figbase/kit/text'
import type { Route } from '../../endpoint.js'
import { exportUser } from '../../routes/user/export-user.js'
import { textsOf } from '../../texts/texts.js'
import { signInReply, userPage } from '../page.js'
import { deletePath } from './delete.js'
import { accountPage, accountPath } from './layout.js'

const path = `${accountPath}data/`
const filePath = `${path}figbase-account.json`

const show = userPage(path, async (input) => {
  const { t } = textsOf(input)
  const content = html`<h2>${t('accountData.export')}</h2>
<p>${t('accountData.exportNote')}</p>
<p><a class="button" href="${filePath}" download>${t('accountData.download')}</a></p>
<h2>${t('accountData.delete')}</h2>
<p>${t('accountData.deleteNote')}</p>
<p><a class="button dangerous" href="${deletePath}">${t('accountData.delete')}</a></p>`
  return accountPage(input, { path, content })
})

/** What `GET user/{username}/export/` gives. */
const file: Route = {
  method: 'GET',
  path: filePath,
  since: 'v1',
  auth: 'required',
  acceptsSession: true,
  isLong: true,
  errorReply: signInReply,
  async handle(input, upload) {
    const params = { username: input.username }
    const reply = await exportUser.handle({ ...input, params }, upload)
    return { ...reply, headers: { ...reply.headers, 'cache-control': 'private, no-store' } }
  },
}

export const dataPages: Route[] = [show, file]
