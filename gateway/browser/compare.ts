// The slider of a comparison moves the border between two pictures that lie on each other.

for (const compare of document.querySelectorAll<HTMLElement>('.compare')) {
  const slider = compare.querySelector<HTMLElement>('.slider')
  const range = slider?.querySelector('input')
  if (!slider || !range) continue
  slider.hidden = false
  range.addEventListener('input', () => compare.style.setProperty('--border', `${range.value}%`))
}
