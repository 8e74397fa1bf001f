/** Opens a page in the browser of this machine, if it has one. */
export async function openInBrowser(url: string): Promise<void> {
  const { default: open } = await import('open')
  await open(url).catch(() => {})
}
