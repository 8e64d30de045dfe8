// One sentence in many languages, for who comes without a text of his own.

const SAMPLES = {
  de: "Das Kind hat gestern ein rotes Fahrrad bekommen.",
  en: "The child got a red bicycle yesterday.",
  es: "El niño recibió ayer una bicicleta roja.",
  fr: "L’enfant a reçu hier un vélo rouge.",
  it: "Ieri il bambino ha ricevuto una bicicletta rossa.",
  nl: "Het kind heeft gisteren een rode fiets gekregen.",
  pl: "Dziecko dostało wczoraj czerwony rower.",
  pt: "A criança ganhou ontem uma bicicleta vermelha.",
  ar: "حصل الطفل أمس على دراجة حمراء.",
  cs: "Dítě včera dostalo červené kolo.",
  da: "Barnet fik en rød cykel i går.",
  el: "Το παιδί πήρε χθες ένα κόκκινο ποδήλατο.",
  fi: "Lapsi sai eilen punaisen polkupyörän.",
  he: "הילד קיבל אתמול אופניים אדומים.",
  hi: "बच्चे को कल एक लाल साइकिल मिली।",
  hu: "A gyerek tegnap egy piros biciklit kapott.",
  id: "Anak itu mendapat sepeda merah kemarin.",
  ja: "子供は昨日赤い自転車をもらいました。",
  ko: "아이는 어제 빨간 자전거를 받았다.",
  nb: "Barnet fikk en rød sykkel i går.",
  ro: "Copilul a primit ieri o bicicletă roșie.",
  ru: "Ребёнок вчера получил красный велосипед.",
  sv: "Barnet fick en röd cykel i går.",
  tr: "Çocuk dün kırmızı bir bisiklet aldı.",
  uk: "Дитина вчора отримала червоний велосипед.",
  vi: "Hôm qua đứa trẻ nhận được một chiếc xe đạp màu đỏ.",
  zh: "孩子昨天得到了一辆红色的自行车。",
};

/** Return the sentence in a language, such as `de` or `pt-BR`; without one, an empty text. */
export function sampleIn(code) {
  if (/^zh-(Hant|TW|HK)/.test(code)) return ""; // written in other signs
  return SAMPLES[code.split("-")[0]] ?? "";
}

/** Return the first of some languages that there is the sentence in: the reader's own, then by use. */
export function sampledOf(codes, own) {
  const order = [own, ...Object.keys(SAMPLES)];
  const found = codes.filter(sampleIn).map((code) => [order.indexOf(code.split("-")[0]), code]);
  return found.sort(([one], [other]) => one - other)[0]?.[1] ?? "";
}

/** Return whether a text is the sentence in any language. */
export const isSample = (text) => Object.values(SAMPLES).includes(text);
