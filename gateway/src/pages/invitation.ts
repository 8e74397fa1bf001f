import { html } from '@figbase/kit/text'
import { fixedPage } from './page.js'

/** The target of invitation links, until there is a web application that accepts invitations. */
export const invitation = fixedPage('/invitations/:kind/:token/', {
  title: 'You are invited',
  content: html`<h1>You are invited</h1>
<p>You have been invited to a workspace or an organization on this site. The invitation can be accepted
once, before it expires, by anyone who has this link and an account here.</p>
<p>To accept it, sign in with your client, or request an access token. The token of the invitation is the
last part of this page's address, after <code>workspace</code> or <code>organization</code>.</p>
<pre tabindex="0"><code>curl -X POST -H 'Authorization: Bearer &lt;access token&gt;' \\
  &lt;this site&gt;/api/v1.4.1/invitations/workspace/&lt;token&gt;/accept/</code></pre>
<p>If you did not expect this invitation, you can ignore it. It will expire.</p>`,
})
