/** Packages whose modules have other names. */
const modules: Record<string, string> = {
  beautifulsoup4: 'bs4',
  opencv_python: 'cv2',
  pillow: 'pil',
  python_dateutil: 'dateutil',
  pyyaml: 'yaml',
  scikit_image: 'skimage',
  scikit_learn: 'sklearn',
}

/** The name under which a module is compared: of `Scikit-Learn>=1.4`, `sklearn`. */
export function moduleName(packageName: string): string {
  const [name = ''] = packageName.trim().split(/[\s[<>=!~;@]/)
  const normal = name.toLowerCase().replaceAll('-', '_')
  return modules[normal] ?? normal
}
