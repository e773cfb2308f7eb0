#include <map>

#include "phyxel/render/text.h"

namespace phyxel::render {
namespace {

// A face of our own, drawn with one pen. A point is two letters: x from 'a' = 0, y from 'a' = -4,
// so that 'e' is the base line. A capital x makes it the control point of a quadratic curve; two
// points at the same place make a dot. Blanks lift the pen.
struct Drawing {
  char32_t character;
  int width;
  const char* strokes;
};

constexpr Drawing drawings[] = {
    {U' ', 2, ""},
    {U'!', 0, "asaj aeae"},
    {U'"', 3, "asao dsdo"},
    {U'#', 12, "defs hejs bili bolo"},
    {U'$', 8, "ioHqeqAqaoAmelIkiiIgegBgai eted"},
    {U'%', 12, "apAscsEsepEmcmAmap ihIkkkMkmhMekeIeih ksce"},
    {U'&', 10, "kecnBobpBsesHshpHnemAkaiAeeeIekk"},
    {U'\'', 0, "asao"},
    {U'(', 3, "dtApakAfdb"},
    {U')', 3, "atDpdkDfab"},
    {U'*', 6, "dsdl aqgn gqan"},
    {U'+', 8, "akik eoeg"},
    {U',', 1, "beab"},
    {U'-', 5, "akfk"},
    {U'.', 0, "aeae"},
    {U'/', 6, "adgt"},
    {U'0', 8, "alAsesIsilIeeeAeal"},
    {U'1', 8, "bpfsfe"},
    {U'2', 8, "apAsesIsioImgkaeie"},
    {U'3', 8, "aqBsesIsipImemdm emImiiIeeeBeag"},
    {U'4', 8, "gegsaiji"},
    {U'5', 8, "hsbsamCnenInijIeeeBeag"},
    {U'6', 8, "hrGsfsAsajAeeeIeiiInenAnaj"},
    {U'7', 8, "asisde"},
    {U'8', 8, "emBmbpBsesHshpHmemAmaiAeeeIeiiImem"},
    {U'9', 8, "bfCedeIeinIsesAsaoAjejIjin"},
    {U':', 0, "anan aeae"},
    {U';', 1, "bnbn beab"},
    {U'<', 8, "ipakif"},
    {U'=', 8, "amim aiii"},
    {U'>', 8, "apikaf"},
    {U'?', 8, "apAsesIsipImelei eeee"},
    {U'@', 13, "jkJnhnEnekEhhhJhjk jnjjJhlhNhnlNrhrArakAdhdJdke"},
    {U'A', 10, "aefske cjij"},
    {U'B', 9, "aeasesIsipImemam emJmjiJeeeae"},
    {U'C', 10, "kpJsfsAsalAefeJekh"},
    {U'D', 10, "aeasesKsklKeeeae"},
    {U'E', 8, "isasaeie alhl"},
    {U'F', 8, "isasae alhl"},
    {U'G', 10, "kpJsfsAsalAefeKekjklgl"},
    {U'H', 9, "aeas jejs aljl"},
    {U'I', 0, "aeas"},
    {U'J', 6, "gsgiGedeAeah"},
    {U'K', 9, "aeas jsaj dmje"},
    {U'L', 8, "asaeie"},
    {U'M', 12, "aeasgimsme"},
    {U'N', 10, "aeaskeks"},
    {U'O', 12, "alAsgsMsmlMegeAeal"},
    {U'P', 9, "aeasesJsjoJkekak"},
    {U'Q', 12, "alAsgsMsmlMegeAeal himd"},
    {U'R', 9, "aeasesJsjoJkekak fkje"},
    {U'S', 9, "jpIsfsAsapAmflJkjhJeeeBeah"},
    {U'T', 10, "asks fsfe"},
    {U'U', 10, "asajAefeKekjks"},
    {U'V', 10, "asfeks"},
    {U'W', 14, "aseehqkeos"},
    {U'X', 10, "aske ksae"},
    {U'Y', 10, "asflks flfe"},
    {U'Z', 9, "asjsaeje"},
    {U'[', 3, "dtatabdb"},
    {U'\\', 6, "atgd"},
    {U']', 3, "atdtdbab"},
    {U'^', 6, "andsgn"},
    {U'_', 8, "acic"},
    {U'`', 2, "ascp"},
    {U'a', 8, "bnCoeoIoikie ikekAkahAedeIeii"},
    {U'b', 8, "asae ajAoeoIoijIeeeAeaj"},
    {U'c', 7, "hmGoeoAoajAeeeGehg"},
    {U'd', 8, "isie ajAoeoIoijIeeeAeaj"},
    {U'e', 8, "ajijIoeoAoajAeeeHeig"},
    {U'f', 5, "gsfsCscpce aofo"},
    {U'g', 8, "ioieIaeaBaac ajAoeoIoijIeeeAeaj"},
    {U'h', 8, "asae akAoeoIoikie"},
    {U'i', 0, "aoae asas"},
    {U'j', 2, "cocdCaaa cscs"},
    {U'k', 7, "asae hoai ckhe"},
    {U'l', 2, "asahAece"},
    {U'm', 12, "aoae akAodoGogkge gkGojoMomkme"},
    {U'n', 8, "aoae akAoeoIoikie"},
    {U'o', 8, "ajAoeoIoijIeeeAeaj"},
    {U'p', 8, "aoaa ajAoeoIoijIeeeAeaj"},
    {U'q', 8, "ioia ajAoeoIoijIeeeAeaj"},
    {U'r', 5, "aoae ajAoeofo"},
    {U's', 7, "hmGoeoAoamAkejHihgHedeBeag"},
    {U't', 5, "crchCefe aofo"},
    {U'u', 8, "aoaiAeeeIeii ioie"},
    {U'v', 8, "aoeeio"},
    {U'w', 12, "aodegnjemo"},
    {U'x', 7, "aohe hoae"},
    {U'y', 8, "aoee ioeeDaaa"},
    {U'z', 7, "aohoaehe"},
    {U'{', 4, "etCtcqcnCkakCkchceCbeb"},
    {U'|', 0, "atab"},
    {U'}', 4, "atCtcqcnCkekCkchceCbab"},
    {U'~', 10, "ajAmcmEmfkGiiiKikl"},
    {U'\u00b0', 4, "aqAscsEseqEocoAoaq"},
    {U'\u00b2', 5, "arAtctFtfrFpamfm"},
    {U'\u00b3', 5, "asBtctFtfrFqcq cqFqfoFmcmBman"},
    {U'\u00b5', 8, "aoaa aiAeeeIeii ioie"},
    {U'\u00b7', 0, "akak"},
    {U'\u00d7', 6, "angh ahgn"},
};
constexpr Drawing unknown{0, 7, "aeashsheae"};
constexpr int pieces_per_curve = 6;

struct Pen {
  Vec2f place;
  bool control;
};

Pen read_pen(const char* s) {
  const bool control = s[0] >= 'A' && s[0] <= 'Z';
  return {{static_cast<float>(s[0] - (control ? 'A' : 'a')), static_cast<float>(s[1] - 'a' - 4)},
          control};
}

void add_curve(std::vector<Vec2f>& line, const Vec2f& control, const Vec2f& end) {
  const Vec2f start = line.back();
  for (int k = 1; k <= pieces_per_curve; ++k) {
    const float t = static_cast<float>(k) / pieces_per_curve;
    line.push_back(start * ((1 - t) * (1 - t)) + control * (2 * t * (1 - t)) + end * (t * t));
  }
}

Glyph draw(const Drawing& drawing) {
  Glyph g{static_cast<float>(drawing.width), {}};
  bool lifted = true;
  for (const char* s = drawing.strokes; *s; s += 2) {
    if (*s == ' ') {
      lifted = true;
      ++s;
    }
    const Pen pen = read_pen(s);
    if (lifted)
      g.strokes.push_back({pen.place});
    else if (pen.control)
      add_curve(g.strokes.back(), pen.place, read_pen(s += 2).place);
    else
      g.strokes.back().push_back(pen.place);
    lifted = false;
  }
  return g;
}

}  // namespace

const Glyph& glyph(char32_t character) {
  static const std::map<char32_t, Glyph> glyphs = [] {
    std::map<char32_t, Glyph> all;
    for (const Drawing& d : drawings) all.emplace(d.character, draw(d));
    return all;
  }();
  static const Glyph box = draw(unknown);
  const auto found = glyphs.find(character);
  return found == glyphs.end() ? box : found->second;
}

}  // namespace phyxel::render
