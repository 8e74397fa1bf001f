// Publishes files on the pages with a form for it, and lets files be dropped on the pages that lead to one.
import { Dropper } from './publish/dropper.js'
import { PublishForm } from './publish/publish-form.js'

const form = document.querySelector<HTMLFormElement>('form.publish')
if (form) {
  const publishing = new PublishForm(form)
  new Dropper((files) => publishing.add(files))
}

const link = document.querySelector<HTMLAnchorElement>('.actions a[href$="/publish/"]')
if (link) new Dropper((files) => openForm(link.href, files))

/** Shows the form of another page in a dialog. */
async function openForm(page: string, files: File[]): Promise<void> {
  const shown = document.querySelector('dialog')
  shown?.remove()
  const response = await fetch(page)
  const { body } = new DOMParser().parseFromString(await response.text(), 'text/html')
  const title = body.querySelector('h1')
  const found = body.querySelector<HTMLFormElement>('form.publish')
  if (!title || !found) return location.assign(page)
  const heading = document.createElement('h2')
  heading.id = 'publish-title'
  heading.textContent = title.textContent
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-labelledby', heading.id)
  dialog.append(heading, document.adoptNode(found))
  document.body.append(dialog)
  const publishing = new PublishForm(found, () => dialog.remove())
  publishing.add(files)
  dialog.addEventListener('close', () => {
    publishing.stop()
    dialog.remove()
  })
  dialog.showModal()
}
