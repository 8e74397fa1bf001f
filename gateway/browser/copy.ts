// Copies a text with the button next to it. Without a secure context there is no clipboard, and no button.

for (const button of document.querySelectorAll<HTMLButtonElement>('.copyable > button')) {
  const text = button.parentElement?.querySelector('code')?.textContent ?? ''
  button.hidden = !navigator.clipboard
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = button.dataset.copied ?? ''
  })
}
