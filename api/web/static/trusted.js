// The one policy of Trusted Types: HTML comes from this server alone, and scripts are these.
const SCRIPTS = [/^\/service\.js$/, /^\/static\/\w+\/offline\/work\.js$/];
const policy = window.trustedTypes?.createPolicy("rulestone", { createHTML: (words) => words, createScriptURL: known });

function known(address) {
  if (!SCRIPTS.some((one) => one.test(address))) throw new TypeError(address);
  return address;
}

export const html = (words) => (policy ? policy.createHTML(words) : words);
export const script = (address) => (policy ? policy.createScriptURL(address) : known(address));
