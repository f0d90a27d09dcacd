/** The page's own address, such as `/console`, also below a proxy's prefix: its scripts lie in a folder of it. */
export const ROOT = new URL(import.meta.url).pathname.replace(/(?:\/[^/]*){2}$/, '');

/** The address of the service: the API's paths begin there. */
export const SERVICE = ROOT.replace(/\/[^/]*$/, '');
