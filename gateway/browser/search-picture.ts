// Searches by a picture that is pasted, or dropped on the page.

const form = document.querySelector<HTMLFormElement>('.by-picture form')
const input = form?.querySelector<HTMLInputElement>('input[type=file]')

/** Sends the form with the files, if there are any. */
function search(event: Event, files: FileList | undefined) {
  if (!form || !input || !files?.length) return
  event.preventDefault()
  input.files = files
  form.requestSubmit()
}

if (form && input) {
  for (const hint of form.querySelectorAll<HTMLElement>('[hidden]:not(input)')) hint.hidden = false
  document.addEventListener('paste', (event) => search(event, event.clipboardData?.files))
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
  document.addEventListener('drop', (event) => search(event, event.dataTransfer?.files))
}
