import { html } from '@figbase/kit'
import { fixedPage } from './page.js'

/** Where the link of an invitation leads, until there is an application that accepts it. */
export const invitation = fixedPage('/invitations/:kind/:token/', {
  title: 'You are invited',
  content: html`<h1>You are invited</h1>
<p>Somebody invited you to work together here. Until it has expired, the invitation can be
accepted by anybody who has this page's address and an account here, once.</p>
<p>Sign in with your client, or for an access token, and accept it. The token of the invitation is the
last part of this page's address; <code>workspace</code> or <code>organization</code> stands before it.</p>
<pre tabindex="0"><code>curl -X POST -H 'Authorization: Bearer &lt;access token&gt;' \\
  &lt;this site&gt;/api/v1.4.1/invitations/workspace/&lt;token&gt;/accept/</code></pre>
<p>You did not expect it? Then there is nothing to do: it expires by itself.</p>`,
})
