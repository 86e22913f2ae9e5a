// What the checks of the map's quality say, in the words of the site: those of engine/quality/checks.hpp.
export const checkTexts = {
  'place-missing': 'No place',
  'place-zero': 'Stands at 0, 0',
  'place-swapped': 'Latitude and longitude look exchanged',
  'place-mirrored': 'The sign of latitude or longitude looks wrong',
  'place-elsewhere': 'Stands outside of the country that it names',
  'place-far': 'Far from all else of its owner',
  'place-coarse': 'Place in whole degrees',
  'altitude-impossible': 'Altitude that nothing on Earth has',
  'unlocode-malformed': 'UN/LOCODE that is none',
  'country-disputed': 'UN/LOCODE and country do not agree',
  'identifier-repeated': 'Same identifier as another one',
  'identifier-odd': 'Blanks or invisible characters in the identifier',
  'name-missing': 'No name of its own',
  'name-placeholder': 'Placeholder instead of a name',
  'name-garbled': 'Garbled characters in the name',
  'name-repeated': 'Same name as another one',
  'owner-missing': 'No owner',
  'institution-dead': 'Owns nothing',
  'topology-empty': 'Empty topology',
  'topology-old': 'Version older than two years',
  'node-isolated': 'No link leads to it',
  'link-loop': 'Both ends are one node',
  'link-one-place': 'Both ends are at one place',
  'link-too-long': 'Longer than its medium allows',
  'link-length-short': 'Ends farther apart than its stated length',
  'link-repeated': 'Same circuit twice',
  'link-one-sided': 'The other half of a link is missing',
  'link-capacity-odd': 'Capacity that cannot be',
  'link-outlives-node': 'Lasts longer than a node at its end',
  'lifetime-reversed': 'Ends before it begins',
  'lifetime-over': 'Has ended and is still there',
  'version-ahead': 'Version of a day to come',
  'property-empty': 'Property without a value',
  'property-placeholder': 'Placeholder as the value of a property',
  'property-garbled': 'Garbled characters in a property',
  'property-repeated': 'Same property twice',
  'contact-malformed': 'Web or mail address that is none',
} as const;

// What is held against how a source delivers: those of engine/quality/deliveries.hpp.
export const deliveryCheckTexts = {
  'source-overdue': 'Overdue',
  'changes-jump': 'Changed far more than is usual',
  'rule-hits-jump': 'Rules changed far more than is usual',
} as const;

export type CheckText = (typeof checkTexts)[keyof typeof checkTexts] | (typeof deliveryCheckTexts)[keyof typeof deliveryCheckTexts];

export const isCheck = (name: string): name is keyof typeof checkTexts => name in checkTexts;
export const isDeliveryCheck = (name: string): name is keyof typeof deliveryCheckTexts => name in deliveryCheckTexts;
